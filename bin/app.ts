import { sampleApp } from './sample/sample-app.ts';

sampleApp().synth();
